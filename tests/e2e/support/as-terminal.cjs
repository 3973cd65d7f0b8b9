// Loaded before the command: its standard output and error then are a terminal, although they are pipes.
for (const stream of [process.stdout, process.stderr]) stream.isTTY = true;
