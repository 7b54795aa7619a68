// Read from a disk or from any host, the pages have no service to call. A service that serves them puts a script in this
// one's place, which shows what this one removes.
for (const place of document.querySelectorAll("[data-try]")) place.remove();
