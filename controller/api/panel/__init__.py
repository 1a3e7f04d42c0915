"""The panel for people: pages rendered on the server, their small modules, and how their words are found."""
