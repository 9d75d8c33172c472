// Runs a WASI module once for every line on stdin: a JSON object with args,
// env, preopens and the paths of the streams. Answers each with one line.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { WASI } from 'node:wasi';

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
process.stdout.write(JSON.stringify({ version: process.versions.node }) + '\n');

for await (const line of createInterface({ input: process.stdin })) {
  const { args, env, preopens, stdin, stdout, stderr } = JSON.parse(line);
  const fds = [openSync(stdin, 'r'), openSync(stdout, 'w'), openSync(stderr, 'w')];
  const answer = { exit: -1, trap: '', error: '' };
  try {
    const wasi = new WASI({
      version: 'preview1', args, env, preopens, returnOnExit: true,
      stdin: fds[0], stdout: fds[1], stderr: fds[2],
    });
    const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
    try {
      answer.exit = wasi.start(instance);
    } catch (e) {
      answer.trap = String(e);
    }
  } catch (e) {
    answer.error = String(e);
  }
  fds.forEach(closeSync);
  process.stdout.write(JSON.stringify(answer) + '\n');
}
