/** The command by which a developer does the next step, on a page that has nothing to show yet. */
import { consoleLine, consoleLogIn } from "../text/console-commands.ts";
import { CodeBlock } from "./id.tsx";

export interface ConsoleCommandProps {
  /** What it does, as a sentence with a colon: "To send events to a server on your machine, run:". */
  readonly children: string;
  /** Without the program and the service's address. */
  readonly command: string;
}

export function ConsoleCommand({ children, command }: ConsoleCommandProps) {
  return (
    <>
      <p>{children}</p>
      <CodeBlock code={consoleLine(location.origin, command)} label="console command" />
      <p>
        It runs in a checkout of Porchlight. Log in first: <code className="mono">{consoleLogIn(location.origin)}</code>
      </p>
    </>
  );
}
