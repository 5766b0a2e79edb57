"""The catalogue of weights: where each file comes from, whether it is here and right."""

from octavo.models.catalogue import CATALOGUE, Model
from octavo.models.store import locate, member, weights_digest

__all__ = ["CATALOGUE", "Model", "locate", "member", "weights_digest"]
