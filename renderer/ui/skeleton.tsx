import { classNames } from '#renderer/lib/class-names.ts'

/** A quiet shape in place of loading content, so that nothing jumps when it arrives. */
export const Skeleton = ({ className }: { className?: string }) => <span aria-hidden className={classNames('block animate-pulse rounded-sm bg-line', className)} />
