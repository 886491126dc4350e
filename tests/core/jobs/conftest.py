"""What tests of jobs share."""

from tests.helpers.products import products_of_processes, products_of_tiny_steps

__all__ = ["products_of_processes", "products_of_tiny_steps"]
