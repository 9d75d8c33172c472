// Runs a WASI module once, on this process's own streams: node node.mjs CALL,
// a JSON object with the module's path, args, env and preopens. The exit code is
// the module's, or 134 after a trap, whose message is the last line of stderr.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const { module, args, env, preopens } = JSON.parse(process.argv[2]);
const wasi = new WASI({ version: 'preview1', args, env, preopens, returnOnExit: true });
const compiled = await WebAssembly.compile(readFileSync(module));
const instance = await WebAssembly.instantiate(compiled, wasi.getImportObject());
try {
  process.exitCode = wasi.start(instance);
} catch (trap) {
  process.exitCode = 134;
  process.stderr.write(`\n${trap}\n`);
}
