"""The rivals, one file a package; each is imported where it is used, so that none is needed."""

from .base import Rival, Sized
from .cart import CART, VIPER
from .figs import FIGS
from .network import NETWORK
from .oblique import DENSE, THREE
from .streed import STREED
from .symbolic import GPLEARN

RIVALS = {
    rival.name: rival for rival in (CART, VIPER, DENSE, THREE, STREED, FIGS, GPLEARN, NETWORK)
}

__all__ = ["RIVALS", "Rival", "Sized"]
