/** The result of an action on many devices: the number of successes, and each failure with its reason. */
import { Anchor, Text } from "@mantine/core";
import type { PropertyList, WriteList } from "@porchlight/shared/api";
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { environmentServicesKey, type ServicesByDevice, withDeviceValue } from "../../data/services.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { OutcomeWord } from "../../kit/display/outcome.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { outcomeWords } from "../../kit/text/value-words.ts";
import { useApi } from "../../session/context.tsx";
import { type Forest, nameIn } from "./forest.ts";
import classes from "./zone-control.module.css";

export function WideResult({ wide, forest }: { readonly wide: Wide; readonly forest: Forest }) {
  const { data, error, variables, isPending } = wide;
  if (error) return <Failure error={error} />;
  const isRead = variables?.value === undefined;
  if (isPending)
    return (
      <Text size="sm" c="dimmed" role="status">
        {isRead ? "Reading the devices…" : "Setting the devices…"}
      </Text>
    );
  if (!data) return <div role="status" />;
  const { items, failures = [] } = data;
  return (
    <div role="status">
      <Text size="sm">
        {isRead ? "Read from " : "Confirmed by "}
        {items.length} of {counted(items.length + failures.length, "property", "properties")}.
      </Text>
      {failures.length > 0 && (
        <ul className={classes.failures}>
          {failures.map((failure) => (
            <li key={`${failure.deviceId} ${failure.service} ${failure.index}`}>
              <Anchor renderRoot={(props) => <Link to={deviceAddress(forest, failure.deviceId)} {...props} />}>
                <NameText text={nameIn(forest, failure.deviceId)} />
              </Anchor>
              :{" "}
              {"outcome" in failure && !isRead && (
                <>
                  <OutcomeWord outcome={failure.outcome} />:{" "}
                </>
              )}
              {failure.name}. {failure.detail} {"outcome" in failure && !isRead && outcomeWords(failure)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function deviceAddress(forest: Forest, deviceId: string): string {
  return `/environments/${forest.devices.get(deviceId)?.environmentId ?? ""}/devices/${deviceId}`;
}

/**
 * A request to set one property of all devices in a zone; without a value it reads the property. Confirmed values appear on the page at
 * once.
 */
interface WideAsked {
  readonly selector: string;
  readonly value?: unknown;
}

type Wide = UseMutationResult<PropertyList | WriteList, Error, WideAsked>;

export function useWide(environmentId: string, zoneId: string): Wide {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ selector, value }: WideAsked): Promise<PropertyList | WriteList> =>
      value === undefined
        ? api.zones.properties(zoneId, selector, { refresh: true })
        : api.zones.setProperties(zoneId, selector, value),
    onSuccess: ({ items }) => {
      queries.setQueryData<ServicesByDevice>(
        environmentServicesKey(environmentId),
        (known) => known && items.reduce(withDeviceValue, known),
      );
    },
  });
}
