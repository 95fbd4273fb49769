// The manual page of a program: its commands are those that the program itself lists.
import { join } from "node:path";
import { root } from "../tools.mjs";
import { tool } from "./architectures.mjs";

/** The page with its commands, from its text. @param folder of the program's sources */
export function manualPage(text, { folder, version, date }) {
  const help = tool(process.execPath, [join(root, folder, "src", "main.ts"), "--help"]);
  const commands = commandsOf(help).map(({ name, what }) => `.TP\n.B ${escaped(name)}\n${escaped(what)}`);
  if (commands.length === 0) throw new Error(`the --help of ${folder} lists no commands`);
  const facts = { VERSION: version, DATE: date, COMMANDS: commands.join("\n") };
  return text.replaceAll(/@(\w+)@/g, (_, fact) => facts[fact]);
}

/** Each command of a help text, with its description, which may go on over several lines. */
function commandsOf(help) {
  const found = [];
  for (const line of help
    .slice(help.indexOf("\nCommands:\n") + 1)
    .split("\n")
    .slice(1)) {
    const [, name, what] = /^ {2}(\S.*?) {2,}(.*)$/.exec(line) ?? [];
    const last = found.at(-1);
    if (name) found.push({ name: name.replace(" [options]", ""), what });
    else if (last) last.what = `${last.what} ${line.trim()}`.trim();
  }
  return found;
}

function escaped(text) {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("-", "\\-")
    .replace(/^(['.])/, "\\&$1");
}
