"""States become scenes: table screens, signage, LED signs, the page of a draw."""
