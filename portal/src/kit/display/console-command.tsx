/** The console command for the next step, on a page that is still empty. */
import { consoleLine, consoleLogIn } from "../text/console-commands.ts";
import { CodeBlock } from "./id.tsx";

interface ConsoleCommandProps {
  /** The command's purpose, ending with a colon: "To send events to a server on your machine, run:". */
  readonly children: string;
  /** The command without the program name and the service's address. */
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
