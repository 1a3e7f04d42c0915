"""Commands of `carrusel`: one module each, arguments in, exit codes out."""
