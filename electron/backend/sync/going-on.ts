import type { BrokerFailure } from '../brokers/tradovate/failure.ts'

// These end the whole part: nobody answers any more, or nobody may ask.
const endsAll: readonly BrokerFailure['kind'][] = ['aborted', 'login-needed', 'no-tokens']

/** Whether the other calls of a part go on where this one failed: what keeps one list away must keep no fill away. */
export const goesOn = ({ kind }: BrokerFailure): boolean => !endsAll.includes(kind)
