/** The developer's view of a device: IDs, selectors with values and times, code samples, metadata, and the raw API responses. */
import { Button, Stack } from "@mantine/core";
import type { Device, PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { useState } from "react";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { CodeBlock, Id } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { KEPT_OF_DEVICES } from "../../kit/forms/meta-save.ts";
import { selectorOf } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import { useDevicePage, useProperty } from "./device-page-context.tsx";
import { PropertyDetail } from "./property-detail.tsx";
import { isOnlyOne } from "./service-card.tsx";

export default function DeveloperTab({ services }: { readonly services: readonly ServiceDescriptor[] }) {
  const api = useApi();
  const { device } = useDevicePage();
  const { id, environmentId, alias, edgeId, type } = device;
  return (
    <Stack gap="lg">
      <Section title="Identifiers">
        <Facts>
          <Fact name="ID">
            <Id value={id} />
          </Fact>
          {alias !== undefined && (
            <Fact name="Reference">
              <Id value={`${environmentId};${alias}`} label="reference" />
            </Fact>
          )}
          {edgeId && (
            <Fact name="Edge ID" term="edgeid">
              <Id value={edgeId} label="edge ID" />
            </Fact>
          )}
        </Facts>
        <AliasField kind="devices" id={id} alias={alias} source={api.devices} />
      </Section>
      <Section
        title="Properties"
        lead="The names that the API uses. The commands work as shown, with a token of yours in $TOKEN."
      >
        {services.flatMap((service) =>
          service.properties.map((descriptor) => (
            <OneProperty
              key={selectorOf({ ...service, property: descriptor.property })}
              {...{ service, descriptor, isOnly: isOnlyOne(services, service) }}
            />
          )),
        )}
      </Section>
      <Section title="Metadata">
        <MetaEditor
          kind="devices"
          id={id}
          source={api.devices}
          kept={type === "physical" ? KEPT_OF_DEVICES : undefined}
        />
      </Section>
      <RawJson device={device} services={services} />
    </Stack>
  );
}

interface OnePropertyProps {
  readonly service: ServiceDescriptor;
  readonly descriptor: PropertyDescriptor;
  readonly isOnly: boolean;
}

function OneProperty({ service, descriptor, isOnly }: OnePropertyProps) {
  const { device } = useDevicePage();
  const target = {
    deviceId: device.id,
    service: service.service,
    index: service.index,
    property: descriptor.property,
  };
  return <PropertyDetail property={useProperty(target, descriptor)} descriptor={descriptor} isOnly={isOnly} />;
}

/** The device as the API returns it, for developers. */
function RawJson({ device, services }: { readonly device: Device; readonly services: readonly ServiceDescriptor[] }) {
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
