"""Views of documents and summaries, with marks and evidence."""
