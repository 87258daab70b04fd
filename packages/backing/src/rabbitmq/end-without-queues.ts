/**
 * Arguments for the node that make it end, with exit code 1, within seconds of the end of its log of quorum queues
 * (`ra_log_wal`), whether that log was started again or not. It ends when the disk is full; after that some quorum queues,
 * or all, stay away for as long as the node runs, and come back when it is started anew. The node does not end while it is
 * being stopped, nor while an alarm about memory or disk space is raised: then it could not start again either.
 */
export const endWithoutQueues: readonly string[] = [
  '-eval',
  `spawn(fun() ->
    Watch = fun(Again, First) ->
      timer:sleep(1000),
      IsStopping = element(1, init:get_status()) == stopping,
      case whereis(ra_log_wal) of
        Log when First == undefined; Log == First; IsStopping -> Again(Again, Log);
        _ ->
          case catch rabbit_alarm:get_alarms() of
            [] -> erlang:halt(1, [{flush, false}]);
            _ -> Again(Again, First)
          end
      end
    end,
    Watch(Watch, undefined)
  end).`,
];
