/** The device as the API gives it, for who writes a program. */
import { Button } from "@mantine/core";
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { useState } from "react";
import { CodeBlock } from "../../../kit/display/id.tsx";
import { Section } from "../../../kit/display/page.tsx";

export function RawJson({
  device,
  services,
}: {
  readonly device: Device;
  readonly services: readonly ServiceDescriptor[];
}) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (
    <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? "Hide" : "Show"}
    </Button>
  );
  return (
    <Section title="Raw JSON" lead="The current API responses, updated live." actions={toggle}>
      {isOpen && (
        <>
          <code className="mono">GET /api/devices/{device.id}</code>
          <CodeBlock code={JSON.stringify(device, null, 2)} label="device as JSON" />
          <code className="mono">GET /api/devices/{device.id}/services</code>
          <CodeBlock code={JSON.stringify({ items: services }, null, 2)} label="services as JSON" />
        </>
      )}
    </Section>
  );
}
