/** A new virtual device: of classes from the catalogue, and of services of one's own. */
import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import type { NewDevice } from "@porchlight/sdk";
import type { ServiceClass } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { catalogueQuery } from "../../../data/catalogue.ts";
import { Failure } from "../../../kit/display/failure.tsx";
import { Page, Section } from "../../../kit/display/page.tsx";
import { QueryView } from "../../../kit/display/query-view.tsx";
import { AliasInput, aliasError } from "../../../kit/forms/alias-field.tsx";
import { Submit } from "../../../kit/forms/submit.tsx";
import { Unsaved } from "../../../kit/forms/unsaved.tsx";
import { useApi } from "../../../session/context.tsx";
import { ClassChoice } from "./class-choice.tsx";
import { plannedDevice } from "./plan.ts";

const route = getRouteApi("/inside/environments/$environmentId/devices/new");

const EXAMPLE = `[{"service": "Sign", "properties": [
  {"property": "text", "type": "string", "access": ["read", "write", "notify"], "value": "welcome"}
]}]`;

export function NewDevicePage() {
  const api = useApi();
  const { environmentId } = route.useParams();
  const catalogue = useQuery(catalogueQuery(api));
  return (
    <Page
      title="New virtual device"
      lead="It lives in the service: a scene, a sensor of another system, something to try an application on. It is read and set like any other, and answers at once."
    >
      <QueryView query={catalogue}>{(classes) => <Form classes={classes} environmentId={environmentId} />}</QueryView>
    </Page>
  );
}

interface FormProps {
  readonly classes: readonly ServiceClass[];
  readonly environmentId: string;
}

function Form({ classes, environmentId }: FormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [alias, setAlias] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [json, setJson] = useState("");
  const planned = plannedDevice({ environmentId, alias, classes: chosen, json });
  const making = useMutation({
    mutationFn: (device: NewDevice) => api.devices.create(device),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["devices"] });
      await navigate({
        to: "/environments/$environmentId/devices/$deviceId",
        params: { environmentId, deviceId: id },
        ignoreBlocker: true,
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (planned.kind === "device") making.mutate(planned.device);
  };
  return (
    <form onSubmit={submit}>
      <Unsaved isThere={alias !== "" || chosen.length > 0 || json !== ""} what="The device that you have described" />
      <Stack gap="lg">
        <Section
          title="What it can do"
          lead="Standard classes, with all of their properties. One may be there several times."
        >
          <ClassChoice classes={classes} chosen={chosen} onChange={setChosen} />
        </Section>
        <Section
          title="Services of your own"
          lead="A class that is not in the catalogue says the type of each property; without access it can be read and not set."
        >
          <Textarea
            label="Services, as JSON"
            placeholder={EXAMPLE}
            autosize
            minRows={4}
            maxRows={20}
            spellCheck={false}
            value={json}
            error={planned.kind === "fault" ? planned.fault : undefined}
            onChange={(event) => setJson(event.currentTarget.value)}
          />
          {json === "" && (
            <Group>
              <Button size="compact-sm" variant="default" onClick={() => setJson(EXAMPLE)}>
                Begin with an example
              </Button>
            </Group>
          )}
        </Section>
        <Section title="Alias">
          <AliasInput value={alias} onChange={setAlias} error={making.error} />
        </Section>
        {making.error && aliasError(making.error) === undefined && <Failure error={making.error} />}
        <Group>
          {planned.kind === "device" ? (
            <Submit label="Create the device" isPending={making.isPending} error={making.error} />
          ) : (
            <>
              <Button type="submit" disabled>
                Create the device
              </Button>
              <Text size="sm" c="dimmed">
                {planned.kind === "nothing"
                  ? "Choose at least one class, or write a service."
                  : "The JSON cannot be read."}
              </Text>
            </>
          )}
          <Button
            variant="subtle"
            color="gray"
            renderRoot={(props) => (
              <Link to="/environments/$environmentId/devices" params={{ environmentId }} {...props} />
            )}
          >
            Back to the devices
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
