/** Why a call to the broker brought nothing: codes only, no sentence of ours, never a token. */
export type BrokerFailure =
  /** The token was refused and so was its renewal, twice with a pause between: the user must consent again. */
  | { readonly kind: 'login-needed'; readonly lastError: string }
  /** Nothing is kept to log in with. The broker refused nothing. */
  | { readonly kind: 'no-tokens' }
  /** The token lives, but may not read this. */
  | { readonly kind: 'permission-missing' }
  | { readonly kind: 'not-found' }
  /** The organisation lives on another host than the one asked, also after its hosts were asked for. */
  | { readonly kind: 'wrong-host' }
  /** The same user opened newer sessions elsewhere: this one is closed until it is opened again. */
  | { readonly kind: 'session-pushed-out' }
  | { readonly kind: 'rate-limited'; readonly waitMs: number }
  /** Penalty tickets came again and again, or one with a wait that is too long to sit out. */
  | { readonly kind: 'penalty'; readonly waitMs: number }
  | { readonly kind: 'captcha'; readonly waitMs: number }
  /** The broker understood and said no. `detail` is the broker's own text, shortened and free of secrets. */
  | { readonly kind: 'refused-by-broker'; readonly detail: string }
  | { readonly kind: 'unreachable'; readonly cause: 'network' | 'timeout' | 'server'; readonly status: number | null }
  /** An answer that is no JSON or not in the shape that was agreed. */
  | { readonly kind: 'unreadable-answer' }
  /** The caller gave up waiting. */
  | { readonly kind: 'aborted' }
