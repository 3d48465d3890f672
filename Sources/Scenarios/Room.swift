// Scenarios: see ARCHITECTURE.md
