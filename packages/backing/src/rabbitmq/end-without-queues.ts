/**
 * Arguments that make the node end with exit code 1 within seconds after the log process of its quorum queues
 * (`ra_log_wal`) has ended, even if that process was started again.
 *
 * The log process ends when the disk is full. After that some or all quorum queues are unavailable until the node is
 * restarted, so the node should end. It does not end while it is being stopped. It also does not end during an alarm
 * about memory or disk space, because it could not start again then.
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
