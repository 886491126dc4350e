"""Trained models that write, computed by PyTorch, CTranslate2 or llama.cpp."""
