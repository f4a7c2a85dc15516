"""Claims about decisions: their language, and boxes that are halved until each keeps them."""
