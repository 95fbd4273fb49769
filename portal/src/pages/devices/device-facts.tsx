/** The facts of a device: place, manufacturer, model and deletion. */
import { Stack, Text } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { awaySince } from "../../data/hubs.ts";
import { clientsQuery, zonesQuery } from "../../data/queries.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Section } from "../../kit/display/page.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { Age } from "../../kit/text/age.tsx";
import { Name, NameText } from "../../kit/text/name.tsx";
import { nameOf, titleOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { useHubConnection } from "./away.tsx";
import { zonesOf } from "./filters.ts";

export function DeviceFacts({ device }: { readonly device: Device }) {
  const { type, connection, createdAt, meta } = device;
  const text = (key: string) => (typeof meta[key] === "string" ? <NameText text={meta[key]} /> : undefined);
  const hub = useHubConnection(device);
  const since = connection && awaySince(connection, hub);
  return (
    <Stack gap="lg">
      <Section title="About">
        <Facts>
          <Fact name="Type">{type}</Fact>
          {connection && since !== undefined && (
            <Fact name={`${capitalised(connection.state)} since`}>
              <Age at={since} />
            </Fact>
          )}
          {connection?.lastSeenAt !== undefined && (
            <Fact name="Last heard">
              <Age at={connection.lastSeenAt} />
            </Fact>
          )}
          <HubFact device={device} />
          <Fact name="Manufacturer">{text("$.manufacturer")}</Fact>
          <Fact name="Model">{text("$.model")}</Fact>
          <Fact name="Firmware">{text("$.firmware")}</Fact>
          <Fact name="Serial number">{text("$.serial")}</Fact>
          <Fact name="Connected by">{text("$.transport")}</Fact>
          <ZonesFact device={device} />
          <Fact name="Created">
            <Age at={createdAt} />
          </Fact>
        </Facts>
      </Section>
      <Removal device={device} />
    </Stack>
  );
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function HubFact({ device: { clientId, environmentId } }: { readonly device: Device }) {
  const hubs = useQuery(clientsQuery(useApi(), environmentId)).data ?? [];
  if (clientId === undefined) return null;
  const hub = hubs.find(({ id }) => id === clientId);
  return (
    <Fact name="Hub">
      <Link to="/environments/$environmentId/hubs/$clientId" params={{ environmentId, clientId }}>
        <NameText text={titleOf(hub ?? { id: clientId }, "Hub")} />
      </Link>
      {hub && (
        <div>
          <OnlineState connection={hub.connection} />
        </div>
      )}
    </Fact>
  );
}

function ZonesFact({ device: { id, environmentId } }: { readonly device: Device }) {
  const zones = zonesOf(id, useQuery(zonesQuery(useApi(), environmentId)).data ?? []);
  return (
    <Fact name="Zones">
      {zones.length === 0 ? (
        <>
          in none,{" "}
          <Link to="/environments/$environmentId/zones" params={{ environmentId }}>
            add it to a zone
          </Link>
        </>
      ) : (
        zones.map((zone) => (
          <div key={zone.id}>
            <Link to="/environments/$environmentId/zones/$zoneId" params={{ environmentId, zoneId: zone.id }}>
              <Name of={zone} />
            </Link>
          </div>
        ))
      )}
    </Fact>
  );
}

function Removal({ device }: { readonly device: Device }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id, type, environmentId } = device;
  const leave = async () => {
    await navigate({ to: "/environments/$environmentId/devices", params: { environmentId }, ignoreBlocker: true });
    queries.removeQueries({ queryKey: ["devices", "one", id] });
    await queries.invalidateQueries({ queryKey: ["devices"] });
  };
  return (
    <Section title="Delete device">
      <Text size="sm" c="dimmed">
        {type === "physical"
          ? "Deletes the device until its hub announces it again, as a new device with a new ID."
          : "Deletes the device and its values. This cannot be undone."}
      </Text>
      <div>
        <Confirm
          label="Delete device"
          title={`Delete ${nameOf(device)}?`}
          act={() => api.devices.delete(id)}
          onDone={leave}
        >
          Its alias, metadata and values are deleted, and it is removed from every zone. Programs that use its ID get
          "Device Not Found".{" "}
          {type === "physical" &&
            "If a hub still has the device, it announces it again when it next starts, with a new ID."}
        </Confirm>
      </div>
    </Section>
  );
}
