/** Why a broker call failed: codes only, never a token. */
export type BrokerFailure =
  /** Token and renewal were refused, twice with a pause between: the user must consent again. */
  | { readonly kind: 'login-needed'; readonly lastError: string }
  /** There are no saved tokens; the broker refused nothing. */
  | { readonly kind: 'no-tokens' }
  /** The token is valid but lacks permission. */
  | { readonly kind: 'permission-missing' }
  | { readonly kind: 'not-found' }
  /** The organization is on another host, even after its hosts were refreshed. */
  | { readonly kind: 'wrong-host' }
  /** The user opened newer sessions elsewhere: this one is closed until reopened. */
  | { readonly kind: 'session-pushed-out' }
  | { readonly kind: 'rate-limited'; readonly waitMs: number }
  /** Repeated penalty tickets, or one with too long a wait. */
  | { readonly kind: 'penalty'; readonly waitMs: number }
  | { readonly kind: 'captcha'; readonly waitMs: number }
  /** The broker rejected the request. `detail` is its text, shortened and without secrets. */
  | { readonly kind: 'refused-by-broker'; readonly detail: string }
  | { readonly kind: 'unreachable'; readonly cause: 'network' | 'timeout' | 'server'; readonly status: number | null }
  /** The answer is not JSON or has an unexpected shape. */
  | { readonly kind: 'unreadable-answer' }
  /** The program's own database that is read in place of a broker could not be copied. */
  | { readonly kind: 'database'; readonly problem: 'missing' | 'unreadable' | 'changing' | 'unknown-shape' | 'account-missing' }
  /** Aborted by the caller. */
  | { readonly kind: 'aborted' }

// These end the whole part: the broker does not answer any more, or the login may not read.
const endsAll: readonly BrokerFailure['kind'][] = ['aborted', 'login-needed', 'no-tokens']

/** Whether a part continues after this failure: a list that cannot be read must not keep fills away. */
export const goesOn = ({ kind }: BrokerFailure): boolean => !endsAll.includes(kind)
