"""Configuration of a node: TOML on top of the regulations' presets, checked before anything starts."""

from controller.config.checks_hardware import Hardware
from controller.config.devices import Device, Input, Keypad, Output, Reader, Serial, Sign
from controller.config.faults import ConfigError, Fault
from controller.config.jackpot import CartaMagica, Draws, Jackpot, JugadorAfortunado, Options, PrizeRow
from controller.config.loader import Checked, load, load_checked
from controller.config.model import Config
from controller.config.presets import load_preset, preset_names
from controller.config.site import Api, Carousel, Mqtt, Screens, Site, State, Tls
from controller.config.table import Base, Blinds, Circle, Deck, Limits, Table

__all__ = [
    "Api",
    "Base",
    "Blinds",
    "Carousel",
    "CartaMagica",
    "Checked",
    "Circle",
    "Config",
    "ConfigError",
    "Deck",
    "Device",
    "Draws",
    "Fault",
    "Hardware",
    "Input",
    "Jackpot",
    "JugadorAfortunado",
    "Keypad",
    "Limits",
    "Mqtt",
    "Options",
    "Output",
    "PrizeRow",
    "Reader",
    "Screens",
    "Serial",
    "Sign",
    "Site",
    "State",
    "Table",
    "Tls",
    "load",
    "load_checked",
    "load_preset",
    "preset_names",
]
