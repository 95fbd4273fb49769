/** The commands that connect a real or simulated hub, for every page that has no hub yet. */
import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { pairCommand, SIMULATED_DEVICES, simulatedHub } from "../text/simulated-home.ts";
import { CodeBlock } from "./id.tsx";

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
