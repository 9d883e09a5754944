import { classNames } from '#renderer/lib/class-names.ts'

/** The product's logo and name; `compact` leaves the name to screen readers, `moving` animates the bars while something loads. */
export const Wordmark = ({ compact = false, moving = false, large = false }: { compact?: boolean; moving?: boolean; large?: boolean }) => (
  <span className={classNames('inline-flex items-center gap-2.25 font-[650] tracking-[-0.01em]', large ? 'text-figure' : 'text-title')}>
    <svg viewBox="0 0 20 20" aria-hidden className={classNames('shrink-0 fill-none stroke-accent stroke-[1.8]', large ? 'size-7' : 'size-5')} strokeLinejoin="round">
      <path d="M3 16V7h3v9" className={classNames(moving && 'animate-bars')} />
      <path d="M8.5 16V3h3v13" className={classNames(moving && 'animate-bars [animation-delay:150ms]')} />
      <path d="M14 16v-6h3v6" className={classNames(moving && 'animate-bars [animation-delay:300ms]')} />
    </svg>
    <span className={classNames(compact && 'sr-only')}>{'Fillbook'}</span>
  </span>
)
