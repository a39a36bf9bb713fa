"""Pages of long lists: positions, and bounded scans."""
