"""Step 6: the words. Catalogues, derivations, documents, pages and charts."""
