/** Commands to paste into a terminal, on pages that are still empty: of the console, and to connect a real or simulated hub. */
import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { consoleLine, consoleLogIn, pairCommand, SIMULATED_DEVICES, simulatedHub } from "../text/shell-commands.ts";
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

/** @param children the link to the page that takes the pairing code */
export function HubCommands({ children }: { readonly children: ReactNode }) {
  return (
    <Stack gap="xs" maw="46rem">
      <Text>Run this command on the hub. It shows a code:</Text>
      <CodeBlock code={pairCommand(location.origin)} label="command that pairs a hub" />
      <Group mb="xs">{children}</Group>
      <Text>No hub? Simulate a home. In a checkout of Porchlight, start its devices:</Text>
      <CodeBlock code={SIMULATED_DEVICES} label="command that starts simulated devices" />
      <Text>In a second terminal, start its hub. It shows a code too:</Text>
      <CodeBlock code={simulatedHub(location.origin)} label="commands that start a simulated hub" />
    </Stack>
  );
}
