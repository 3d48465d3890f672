// Capture: see ARCHITECTURE.md
