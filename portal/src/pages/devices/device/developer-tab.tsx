/** What a developer wants to know of a device: its IDs, the names of its properties with values and times, code, metadata, and the API's own answers. */
import { Stack } from "@mantine/core";
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { Fact, Facts } from "../../../kit/display/facts.tsx";
import { Id } from "../../../kit/display/id.tsx";
import { Section } from "../../../kit/display/page.tsx";
import { AliasField } from "../../../kit/forms/alias-field.tsx";
import { MetaEditor } from "../../../kit/metadata/meta-editor.tsx";
import { KEPT_OF_DEVICES } from "../../../kit/metadata/meta-rules.ts";
import { selectorOf } from "../../../live/target.ts";
import { useApi } from "../../../session/context.tsx";
import { PropertyDetail } from "../property/property-detail.tsx";
import { useDevicePage, useProperty } from "./device-page-context.tsx";
import { RawJson } from "./raw-json.tsx";
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
