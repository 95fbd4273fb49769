/** The drivers of a hub: their state, devices that wait for admission, and the available setups. */
import { Button, Group, Text } from "@mantine/core";
import type { Client } from "@porchlight/shared/api";
import type { FoundDeviceText, HubDriver, SetupKindText } from "@porchlight/shared/model";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { driversQuery } from "../../data/hubs.ts";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./hub-drivers.module.css";
import { useSetup } from "./use-setup.tsx";

export function HubDrivers({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const drivers = useQuery({ ...driversQuery(useApi(), client.id), enabled: isOnline });
  const all = isOnline ? (drivers.data ?? []) : [];
  // Setups that pair a device from the list below are offered at that device.
  const named = new Set(all.flatMap(({ unpaired }) => unpaired.map(({ setup }) => setup)));
  const setups = all.flatMap(({ setups: offered }) => offered).filter(({ kind }) => !named.has(kind));
  const { start, dialog } = useSetup(client);
  return (
    <Section
      title="Drivers"
      lead="Each driver connects one kind of device: on a serial line, on the network, or behind an MQTT broker."
      actions={
        setups.length > 0 && (
          <Group gap="xs">
            {setups.map((setup) => (
              <SetupButton key={setup.kind} setup={setup} start={start} />
            ))}
          </Group>
        )
      }
    >
      {isOnline ? (
        <QueryView query={drivers} isEmpty={(given) => given.length === 0} empty={<NoDrivers />}>
          {(given) => (
            <>
              <Drivers drivers={given} />
              <Found client={client} drivers={given} />
              <Unpaired drivers={given} start={start} />
            </>
          )}
        </QueryView>
      ) : (
        <Text size="sm">The hub is offline. Its drivers are shown when it is back.</Text>
      )}
      {dialog}
    </Section>
  );
}

interface SetupStart {
  readonly start: (setup: SetupKindText) => void;
}

function SetupButton({ setup, start }: { readonly setup: SetupKindText } & SetupStart) {
  return (
    <Button size="xs" variant="default" onClick={() => start(setup)}>
      {setup.title}
    </Button>
  );
}

function Drivers({ drivers }: { readonly drivers: readonly HubDriver[] }) {
  return (
    <ul className={classes.list} aria-label="Drivers of the hub">
      {drivers.map(({ name, state, problem, devices }) => (
        <li key={name}>
          <div className={classes.what}>
            <span className="mono">{name}</span>
            {problem !== undefined && <span>{problem}</span>}
          </div>
          <span className={classes.quiet}>{counted(devices, "device")}</span>
          <StateWord tone={toneOf(state, problem)}>
            {state === "running" && problem !== undefined ? "has a problem" : state}
          </StateWord>
        </li>
      ))}
    </ul>
  );
}

/** A running driver can have a problem, for example an unreachable broker. */
function toneOf(state: HubDriver["state"], problem: string | undefined) {
  if (state === "failed") return "bad";
  if (problem !== undefined) return "warn";
  return state === "running" ? "good" : "none";
}

function Found({ client, drivers }: { readonly client: Client; readonly drivers: readonly HubDriver[] }) {
  const found = drivers.flatMap((driver) => driver.found.map((device) => ({ ...device, driver: driver.name })));
  if (found.length === 0) return null;
  return (
    <>
      <Text size="sm">
        {found.length === 1 ? "One device is" : `${found.length} devices are`} waiting to be admitted. The hub reads and
        controls a device once you admit it.
      </Text>
      <ul className={classes.list} aria-label="Devices awaiting admission">
        {found.map((device) => (
          <li key={`${device.driver} ${device.edgeId}`}>
            <div className={classes.what}>
              <strong>
                <NameText text={titleOf(device)} />
              </strong>
              {device.services.length > 0 && <span>{device.services.join(", ")}</span>}
              <span className={classes.quiet}>
                <span className="mono">{device.edgeId}</span>, {device.driver}
              </span>
            </div>
            <Admit client={client} device={device} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Unpaired({ drivers, start }: { readonly drivers: readonly HubDriver[] } & SetupStart) {
  const unpaired = drivers.flatMap(({ name: driver, unpaired: devices, setups }) =>
    devices.map((device) => ({ ...device, driver, offered: setups.find(({ kind }) => kind === device.setup) })),
  );
  if (unpaired.length === 0) return null;
  return (
    <>
      <Text size="sm">
        {unpaired.length === 1 ? "One device is" : `${unpaired.length} devices are`} not paired with this hub.
      </Text>
      <ul className={classes.list} aria-label="Devices that are not paired">
        {unpaired.map(({ name, edgeId, address, missing, driver, offered }) => (
          <li key={`${driver} ${edgeId} ${address} ${name}`}>
            <div className={classes.what}>
              <strong>
                <NameText text={name} />
              </strong>
              <span>{missing}</span>
              <span className={classes.quiet}>
                {edgeId !== undefined && (
                  <>
                    <span className="mono">{edgeId}</span>,{" "}
                  </>
                )}
                {[address, driver].filter(Boolean).join(", ")}
              </span>
            </div>
            {offered && <SetupButton setup={offered} start={start} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function Admit({ client: { id }, device }: { readonly client: Client; readonly device: FoundDeviceText }) {
  const api = useApi();
  const queries = useQueryClient();
  const { edgeId, admission } = device;
  return (
    <Confirm
      label="Admit device"
      isDestructive={false}
      title={`Admit ${titleOf(device)}?`}
      act={async () => {
        await api.clients.admit(id, edgeId);
        await queries.invalidateQueries({ queryKey: ["clients", "drivers", id] });
      }}
    >
      {admission === "awaiting_admission"
        ? "This device can open the home or cause damage. Everyone who can control devices of this environment can then control it."
        : "Everyone who can control devices of this environment can then control it."}{" "}
      If an edge ID is printed on the device, compare it.
    </Confirm>
  );
}

function titleOf({ name, manufacturer, model, edgeId }: FoundDeviceText): string {
  const type = [manufacturer, model].filter(Boolean).join(" ");
  if (name === undefined) return type || edgeId;
  return type === "" ? name : `${name} (${type})`;
}

function NoDrivers() {
  return (
    <Empty title="No drivers on this hub">
      The settings of its agent configure no driver. The documentation of the agent says how to add one.
    </Empty>
  );
}
