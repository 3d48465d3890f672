// Harness: see ARCHITECTURE.md
