import { classNames } from '#renderer/lib/class-names.ts'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useEffectEvent, useRef, type ComponentProps, type KeyboardEvent as ReactKeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { useNotedOpen } from './dialog-turns.ts'

const widths = { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-3xl', xl: 'max-w-4xl', full: 'max-w-[min(90rem,100vw-2rem)]' } as const

const keepOpen = (event: Event): void => {
  event.preventDefault()
}

const isWithin = (target: EventTarget | null, selector: string): boolean => target instanceof Element && target.closest(selector) !== null

/** An action in a toast, such as its undo, does not close a dialog. */
const keepOpenForToasts = (event: CustomEvent<{ readonly originalEvent: Event }>): void => {
  if (isWithin(event.detail.originalEvent.target, '[data-toasts]')) event.preventDefault()
}

/** What opened a dialog, by its content. */
const openers = new WeakMap<Element, Element>()

/** Where a dialog that opens now returns the focus to: the focused element, its list if that takes the focus and the element is gone by then, or what opened the dialog that it replaces. */
const openersNow = (): readonly Element[] => {
  const focused = document.activeElement
  const beneath = focused?.closest('[role="dialog"]')
  return [focused, focused?.closest('ul[tabindex="-1"]'), beneath && openers.get(beneath)].filter((one) => one instanceof Element && one !== document.body) as Element[]
}

/** A dialog over the page. Without `onClose` only its own content can close it: no close button, no outside click, no Escape. One that is `keptOpen` is not closed by an outside click. */
export const Dialog = ({
  open,
  onClose,
  keptOpen = false,
  title,
  description,
  footer,
  width = 'md',
  children,
}: {
  open: boolean
  onClose?: () => void
  keptOpen?: boolean
  title: string
  description?: ReactNode
  footer?: ReactNode
  width?: keyof typeof widths
  children?: ReactNode
}) => {
  const { t } = useTranslation('ui')
  const isOnTop = useNotedOpen(open)
  // A toast that appears over the dialog would take its Escape, which is meant for the dialog. The toast area keeps the focus after a focused toast is gone.
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && isOnTop() && !isWithin(event.target, '[data-toasts] > *')) onClose?.()
  })
  useEffect(() => {
    if (!open) return
    document.addEventListener('keydown', escape)
    return () => { document.removeEventListener('keydown', escape) }
  }, [open])
  // If a field focuses itself, the open event below does not fire.
  const opener = useRef(open ? openersNow() : [])
  const ignoresOutside = keptOpen || !onClose
  return (
    <Radix.Root open={open} onOpenChange={(next) => { if (!next) onClose?.() }}>
      <Radix.Portal>
        <Radix.Overlay
          onMouseDown={(event) => {
            // An ignored click must not take the focus out of the dialog either.
            if (ignoresOutside) event.preventDefault()
          }}
          className="fixed inset-0 z-40 bg-black/55"
        />
        <Radix.Content
          {...(ignoresOutside ? { onPointerDownOutside: keepOpen, onInteractOutside: keepOpen } : { onInteractOutside: keepOpenForToasts })}
          {...(onClose ? {} : { onEscapeKeyDown: keepOpen })}
          ref={(content) => {
            const [by] = opener.current.filter((one) => one.isConnected)
            if (content !== null && by !== undefined) openers.set(content, by)
          }}
          onOpenAutoFocus={() => {
            const now = openersNow()
            if (now.length > 0) opener.current = now
          }}
          onCloseAutoFocus={(event) => {
            // Radix returns the focus only to a trigger, but anything may open this dialog.
            event.preventDefault()
            // The element that opened it may be gone; then the focus goes to the page.
            const back = opener.current.find((one) => one.isConnected) ?? document.querySelector('main')
            if (back instanceof HTMLElement) back.focus()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100vh-3rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg border border-line bg-surface outline-none',
            widths[width],
          )}
        >
          <div className="flex items-start gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 grow">
              <Radix.Title className="text-title font-semibold tracking-[-0.01em]">{title}</Radix.Title>
              {description && (
                <Radix.Description asChild>
                  <div className="mt-1 text-muted">{description}</div>
                </Radix.Description>
              )}
            </div>
            {onClose && (
              <Radix.Close asChild>
                <Button variant="ghost" size="icon" aria-label={t('close')} className="-mt-1 -mr-2">
                  <X aria-hidden />
                </Button>
              </Radix.Close>
            )}
          </div>
          {children && <div className="min-h-0 scroll-py-12 overflow-y-auto px-5 pb-4">{children}</div>}
          {footer && <div className="flex flex-wrap items-center justify-end gap-2 border-t border-hairline px-5 py-3">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The key that opened the dialog may still be held down. */
const ignoreHeldKey = (event: ReactKeyboardEvent): void => {
  if (event.repeat) event.preventDefault()
}

type AskProps = Omit<ComponentProps<typeof Button>, 'children' | 'autoFocus'> & {
  cancel: string
  onCancel: () => void
  /** Disables Cancel, while the action runs. */
  locked?: boolean
  confirm: string
}

/** The two buttons of a dialog: Cancel, and the one that continues, which takes the props of a button. Before something destructive the focus is on Cancel, so that Enter twice in a row does nothing. */
export const AskButtons = ({ cancel, onCancel, locked = false, confirm, ...button }: AskProps) => (
  <>
    <Button variant="outline" autoFocus={button.variant === 'destructive'} disabled={locked} onKeyDown={ignoreHeldKey} onClick={onCancel}>
      {cancel}
    </Button>
    <Button {...button}>{confirm}</Button>
  </>
)
