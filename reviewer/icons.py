"""The drawn icons, by name. Pure; only text written here ever reaches a page unescaped."""

ICONS: dict[str, str] = {
    "brand": '<path d="M1.5 10.5h13l-1.5 3H3z" fill="currentColor"/><path d="M4 8 13 2.5 8.5 8z"/>',
    "home": '<path d="M2.5 7.5 8 3l5.5 4.500M4 6.500v6.500h8V6.500M6.7 13V9.500h2.600V13"/>',
    "review": '<circle cx="8" cy="8" r="6"/><path d="m5.5 8 1.8 1.8 3.2-3.6"/>',
    "backlog": '<path d="M3 3.500h10M3 8h7M3 12.500h4"/>',
    "map": '<circle cx="4" cy="11" r="1.5"/><circle cx="8" cy="5" r="1.5"/>'
    '<circle cx="12" cy="9.5" r="1.5"/><circle cx="12.5" cy="3.5" r=".6"/>',
    "traces": '<path d="M2.5 4h6M5.5 8h5M8.5 12h5"/>',
    "prompt": '<path d="M3 3.500h10v7H7l-3 2.500v-2.500H3z"/>',
    "experiment": '<path d="M6.5 2.500v4L3 12.500a.7.7 0 0 0 .6 1h8.800a.7.7 0 0 0 .6-1L9.5 6.500v-4M5.5 2.500h5"/>',
    "release": '<path d="M8 13V4M4.5 7 8 3.5 11.5 7M3 13h10"/>',
    "health": '<path d="M1.5 8.500h3l2-5 3 9 2-4h3"/>',
    "settings": '<path d="M2.5 5h6M12 5h1.500M2.5 11H4M7.5 11h6"/><circle cx="10.2" cy="5" r="1.7"/>'
    '<circle cx="5.7" cy="11" r="1.7"/>',
    "help": '<circle cx="8" cy="8" r="6"/>'
    '<path d="M6.2 6.300a1.8 1.8 0 1 1 2.6 1.600c-.6.3-.8.6-.8 1.300M8 11.300v.1"/>',
    "menu": '<path d="M2.5 4.500h11M2.5 8h11M2.5 11.500h11"/>',
    "search": '<circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 3 3"/>',
    "copy": '<rect x="5.5" y="5.5" width="8" height="8" rx="1.2"/><path d="M10.5 5.500v-3h-8v8h3"/>',
    "warning": '<path d="M8 2.5 14 13H2zM8 6.500v3M8 11.200v.1"/>',
    "info": '<circle cx="8" cy="8" r="6"/><path d="M8 7.300v3.700M8 5v.1"/>',
    "undo": '<path d="M6 2.5 2.5 6 6 9.500M2.5 6h7a4 4 0 0 1 0 8H8"/>',
    "lock": '<rect x="3.5" y="7" width="9" height="6" rx="1"/><path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2"/>',
    "back": '<path d="M9.5 3.5 5 8l4.5 4.5"/>',
    "next": '<path d="M6.5 3.5 11 8l-4.5 4.5"/>',
    "switch": '<path d="m5 6.5 3-3 3 3M5 9.500l3 3 3-3"/>',
    "down": '<path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>',
    "thumb-down": '<path d="M5.5 8.5 8 14c1 0 1.7-.8 1.5-1.800L9 9.500h3.200c.8 0 1.4-.8 1.2-1.600l-.9-4A1.2 1.2 0 0 0 '
    '11.3 3H5.500zM5.5 3h-3v5.500h3"/>',
    "thumb-up": '<path d="M5.5 7.5 8 2c1 0 1.7.8 1.5 1.800L9 6.500h3.200c.8 0 1.4.8 1.2 1.600l-.9 4a1.2 1.2 0 0 '
    '1-1.2.900H5.500zM5.5 13h-3V7.500h3"/>',
    "done": '<circle cx="8" cy="8" r="6.5"/><path d="m5 8.2 2.1 2.100L11 6"/>',
    "check": '<path d="m3.5 8.5 3 3 6-6.5"/>',
    "close": '<path d="m4 4 8 8M12 4l-8 8"/>',
    "plus": '<path d="M8 3v10M3 8h10"/>',
    "person": '<circle cx="8" cy="5.5" r="2.5"/><path d="M3 13.500c.5-2.8 2.4-4 5-4s4.5 1.2 5 4"/>',
    "people": '<circle cx="6" cy="5.5" r="2.3"/><path d="M1.8 13c.4-2.5 2-3.6 4.2-3.6s3.8 1.1 4.2 3.6'
    'M10.5 3.4a2.3 2.3 0 0 1 0 4.2M11.5 9.6c1.5.3 2.4 1.4 2.7 3.4"/>',
    "key": '<circle cx="5" cy="10.5" r="2.7"/><path d="m7 8.5 5.5-5.500M10.5 5l2 2M9 6.500l1.3 1.3"/>',
    "log": '<path d="M4 2.500h6l2.5 2.500v8.500H4zM6.5 7h3.500M6.5 10h3.5"/>',
    "book": '<path d="M8 4.200C6.5 3 4.5 2.8 2.5 3v9c2-.2 4 0 5.5 1.200'
    'C9.5 12 11.5 11.8 13.5 12V3c-2-.2-4 0-5.5 1.200zm0 0v9"/>',
    "project": '<path d="M2.5 5 8 2.2 13.5 5 8 7.800zM2.5 8 8 10.8 13.5 8M2.5 11 8 13.8 13.5 11"/>',
    "sign-out": '<path d="M6.5 3h-3v10h3M10 5l3 3-3 3M13 8H6.5"/>',
    "mail": '<rect x="2.5" y="4" width="11" height="8.5" rx="1"/><path d="m3 5 5 4 5-4"/>',
    "clock": '<circle cx="8" cy="8" r="6"/><path d="M8 4.500V8l2.5 1.5"/>',
    "download": '<path d="M8 3v7M4.5 7 8 10.5 11.5 7M3 13h10"/>',
}
