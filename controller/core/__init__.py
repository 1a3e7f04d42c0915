"""Pure rules of the games and the money: values in, values out, no clock and no files."""
