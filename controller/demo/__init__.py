"""`carrusel demo`: a pit in one process, with simulated hardware on real pseudo-terminals behind the real drivers."""
