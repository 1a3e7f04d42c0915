"""The admin API and the panel: FastAPI over the ports of controller/engine/ports.py."""
