/** The developer's view of a device: IDs, selectors with values and times, code samples, metadata, and the raw API responses. */
import { Button, Stack } from "@mantine/core";
import type { Device, PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import type { PropertyLimit } from "@porchlight/shared/model";
import { useState } from "react";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { CodeBlock, Id } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { KEPT_OF_DEVICES } from "../../kit/forms/meta-save.ts";
import { Age } from "../../kit/text/age.tsx";
import { valueWords } from "../../kit/text/value-words.ts";
import { selectorOf } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import { consoleGet, consoleSet, curlRead, curlSet } from "./code-lines.ts";
import { type Property, useDevicePage, useProperty } from "./device-page-context.tsx";
import classes from "./property-row.module.css";
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

interface PropertyDetailProps {
  readonly property: Property;
  readonly descriptor: PropertyDescriptor;
  readonly isOnly: boolean;
}

/** A property for developers: its selector, its constraints, its value with all times, and code samples for the page's actions. */
function PropertyDetail({ property, descriptor, isOnly }: PropertyDetailProps) {
  const { device } = useDevicePage();
  const { target, value, known, isRefreshed } = property;
  const code = { origin: location.origin, target, isOnly, value: value ?? exampleOf(descriptor) };
  const canWrite = descriptor.access.includes("write");
  const isReport = device.type === "virtual" && !canWrite;
  return (
    <div className={classes.detail}>
      <div>
        <span className="mono">{isOnly ? `${target.service}.${target.property}` : selectorOf(target)}</span>{" "}
        <span className={classes.what}>{describe(descriptor)}</span>
      </div>
      <Facts>
        <Fact name="value">
          <span className="mono">{known.value === undefined ? "absent" : JSON.stringify(known.value)}</span>
        </Fact>
        <Fact name="observedAt">{known.observedAt && <Moment at={known.observedAt} />}</Fact>
        <Fact name="modifiedAt">{known.modifiedAt && <Moment at={known.modifiedAt} />}</Fact>
        <Fact name="source">{known.source}</Fact>
        <Fact name="Read from">
          {known.value !== undefined && (isRefreshed ? "the device, for this page" : "the cloud's cache")}
        </Fact>
      </Facts>
      <div className={classes.lines}>
        {descriptor.access.includes("read") && <Line what="Read from the device">{curlRead(code, true)}</Line>}
        {(canWrite || isReport) && (
          <Line what={isReport ? "Report a value, as its sensor would" : "Set to the value shown"}>
            {curlSet({ ...code, report: isReport })}
          </Line>
        )}
        <Line what="With the console">{canWrite ? consoleSet(code) : consoleGet(code)}</Line>
      </div>
      <div className={classes.what}>
        <code className="mono">$TOKEN</code> is a user or server token of yours.
      </div>
    </div>
  );
}

function Moment({ at }: { readonly at: string }) {
  return (
    <>
      <span className="mono">{at}</span> (<Age at={at} />)
    </>
  );
}

function Line({ what, children }: { readonly what: string; readonly children: string }) {
  return (
    <div>
      <span className={classes.what}>{what}</span>
      <CodeBlock code={children} label={what} />
    </div>
  );
}

/** Words before the number of each limit. */
const LIMIT_WORDS: Readonly<Record<PropertyLimit, string>> = { min: "at least", max: "at most", step: "in steps of" };

/** Describes the property's constraints in a sentence. */
function describe({ property, type, unit, values, access, ...rest }: PropertyDescriptor): string {
  const words = (value: unknown) => valueWords(value, property, unit);
  const limits: Readonly<Record<string, unknown>> = rest;
  const range = [
    type,
    ...(values ? [`one of ${values.map(words).join(", ")}`] : []),
    ...Object.entries(LIMIT_WORDS).flatMap(([name, before]) =>
      limits[name] === undefined ? [] : [`${before} ${words(limits[name])}`],
    ),
  ];
  return `${range.join(", ")}; ${access.join(", ")}.`;
}

/** An example value for a property that has none yet. */
function exampleOf({ type, min, values }: PropertyDescriptor): unknown {
  if (values && values.length > 0) return values[0];
  if (type === "boolean") return true;
  if (type === "string") return "text";
  return type === "json" ? {} : (min ?? 0);
}
