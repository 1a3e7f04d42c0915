"""`python -m controller` and the script `carrusel`."""

from controller.cli import app


def main() -> None:
    """Run the command line."""
    app(prog_name="carrusel")


if __name__ == "__main__":
    main()
