// tests of Corpora
