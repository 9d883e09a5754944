import { classNames } from '#renderer/lib/class-names.ts'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { Spinner } from './spinner.tsx'

const variants = {
  default: 'bg-accent font-semibold text-accent-ink hover:not-disabled:bg-accent-hover',
  destructive: 'font-medium border border-loss text-loss hover:bg-loss-tint',
  outline: 'font-medium border border-line bg-surface text-ink hover:bg-raised',
  secondary: 'font-medium bg-raised text-ink border border-hairline hover:border-line',
  ghost: 'font-medium text-muted hover:bg-raised hover:text-ink',
  link: 'font-medium text-accent underline-offset-3 hover:underline',
} as const

const sizes = {
  default: 'h-8 px-3',
  sm: 'h-7 px-2.5 text-sm',
  lg: 'h-10 px-4',
  icon: 'size-8',
} as const

const linkSizes = { default: 'h-auto', sm: 'h-auto text-sm', lg: 'h-auto text-title', icon: 'size-8' } as const

/** A button; `asChild` applies its looks to a link, `busy` shows a spinner and ignores clicks. */
export const Button = ({
  variant = 'default',
  size = 'default',
  asChild = false,
  busy = false,
  className,
  children,
  disabled,
  ...rest
}: ComponentProps<'button'> & { variant?: keyof typeof variants; size?: keyof typeof sizes; asChild?: boolean; busy?: boolean }) => {
  const looks = classNames(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-md whitespace-nowrap transition-colors duration-100',
    'disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
    variants[variant],
    variant === 'link' ? linkSizes[size] : sizes[size],
    className,
  )
  if (asChild) {
    return (
      <Slot.Root className={looks} {...rest}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button type="button" className={looks} disabled={disabled === true || busy} aria-busy={busy || undefined} {...rest}>
      {busy && <Spinner />}
      {children}
    </button>
  )
}
