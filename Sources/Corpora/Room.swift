// Corpora: see ARCHITECTURE.md
