/** The sink of an ecosystem: made, shown with how it does, changed, tested, paused and deleted. An ecosystem has one at most. */
import { Button, Group, Stack } from "@mantine/core";
import type { Sink } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sinkQuery } from "../../../data/places.ts";
import { Failure } from "../../../kit/display/failure.tsx";
import { Section } from "../../../kit/display/page.tsx";
import { Empty, QueryView } from "../../../kit/display/query-view.tsx";
import { Confirm } from "../../../kit/forms/confirm.tsx";
import { useWanted } from "../../../kit/lazy/use-wanted.ts";
import { useAccess, useApi } from "../../../session/context.tsx";
import { SinkStatus } from "./sink-status.tsx";
import { SinkTest } from "./sink-test.tsx";

const loadDialog = () => import("./sink-dialog.tsx");

export function SinkSection({ ecosystemId }: { readonly ecosystemId: string }) {
  const queries = useQueryClient();
  const query = sinkQuery(useApi(), ecosystemId);
  const sink = useQuery(query);
  const [isEditing, setEditing] = useState(false);
  const { Part: SinkDialog, error: notLoaded } = useWanted(loadDialog, isEditing);
  const refresh = () => void queries.invalidateQueries({ queryKey: query.queryKey });
  const edit = (label: string) => (
    <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setEditing(true)}>
      {label}
    </Button>
  );
  return (
    <Section
      title="Sink"
      lead="Writes every value to a time-series database of yours, such as InfluxDB or VictoriaMetrics, for example for Grafana."
    >
      {notLoaded && <Failure error={notLoaded} putAway={() => setEditing(false)} />}
      {isEditing && SinkDialog && (
        <SinkDialog
          ecosystemId={ecosystemId}
          sink={sink.data ?? undefined}
          onDone={refresh}
          onClose={() => setEditing(false)}
        />
      )}
      <QueryView query={sink}>
        {(known) =>
          known === null ? (
            <Empty title="No sink" action={edit("Create sink")}>
              Any database that takes the line protocol of InfluxDB over HTTP will do. An ecosystem has one sink at
              most.
            </Empty>
          ) : (
            <Stack gap="sm">
              <SinkStatus sink={known} />
              <Group gap="xs">
                {edit("Edit sink")}
                <Pausing sink={known} onDone={refresh} />
                <Deletion ecosystemId={ecosystemId} onDone={refresh} />
              </Group>
              <SinkTest ecosystemId={ecosystemId} />
            </Stack>
          )
        }
      </QueryView>
    </Section>
  );
}

interface PausingProps {
  readonly sink: Sink;
  readonly onDone: () => void;
}

function Pausing({ sink: { ecosystemId, enabled }, onDone }: PausingProps) {
  const { ecosystems } = useAccess().direct;
  const resuming = useMutation({
    mutationFn: () => ecosystems.setSink(ecosystemId, { enabled: true }),
    onSuccess: onDone,
  });
  if (enabled)
    return (
      <Confirm
        label="Pause sink"
        title="Pause sink?"
        isDestructive={false}
        act={() => ecosystems.setSink(ecosystemId, { enabled: false })}
        onDone={onDone}
      >
        Nothing is written until you resume it. What changes meanwhile, and what has not been written yet, is left out
        for good. History of the service itself goes on.
      </Confirm>
    );
  return (
    <>
      <Button size="xs" variant="default" loading={resuming.isPending} onClick={() => resuming.mutate()}>
        Resume sink
      </Button>
      {resuming.error && <Failure error={resuming.error} putAway={() => resuming.reset()} />}
    </>
  );
}

interface DeletionProps {
  readonly ecosystemId: string;
  readonly onDone: () => void;
}

function Deletion({ ecosystemId, onDone }: DeletionProps) {
  const { ecosystems } = useAccess().direct;
  return (
    <Confirm label="Delete sink" title="Delete sink?" act={() => ecosystems.deleteSink(ecosystemId)} onDone={onDone}>
      Nothing more is written, and the stored token is deleted. What was written stays in the database. A sink that you
      create later begins with what changes then.
    </Confirm>
  );
}
