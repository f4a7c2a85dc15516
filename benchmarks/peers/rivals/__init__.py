"""The rivals, one file a package; each is imported where it is used, so that none is needed."""

from .base import CONTINUOUS, Learnt, Rival, Sized
from .cart import CART, VIPER
from .figs import FIGS
from .network import NETWORK
from .oblique import DENSE, THREE
from .reward import ARS, DTPO, EVOLVED, LEARNT, WRITTEN
from .soft import CRISP, SOFT
from .streed import STREED
from .symbolic import GPLEARN, VALUES

IMITATING = (CART, VIPER, DENSE, THREE, STREED, FIGS, SOFT, CRISP, GPLEARN, VALUES, NETWORK)
RIVALS = {rival.name: rival for rival in (*IMITATING, DTPO, EVOLVED, LEARNT, ARS, WRITTEN)}

__all__ = ["CONTINUOUS", "RIVALS", "Learnt", "Rival", "Sized"]
