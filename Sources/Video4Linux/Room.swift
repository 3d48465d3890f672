// Video4Linux: see ARCHITECTURE.md
