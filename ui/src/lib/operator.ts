import type { Backend } from '$lib/api/generated/Backend';
import type { GpuView } from '$lib/api/generated/GpuView';

/** A whole number as typed, or null. */
export function wholeNumber(typed: string): number | null {
  return /^\d{1,7}$/.test(typed.trim()) ? parseInt(typed, 10) : null;
}

/**
 * What was found on every device, one line each: as `nvidia-smi` prints it, so that it can be pasted. One line stands
 * for all devices when they are alike.
 */
export function perDevice(typed: string, devices: number): string[] {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const only = lines[0];
  return lines.length === 1 && only !== undefined ? Array.from({ length: devices }, () => only) : lines;
}

/** Memory of every device in MiB: digits with or without their unit. Null when a line is no number. */
export function memoryPerDevice(typed: string, devices: number): number[] | null {
  const read = perDevice(typed, devices).map((line) => wholeNumber(line.replace(/\s*MiB$/i, '')));
  return read.every((mib) => mib !== null) && read.length > 0 ? (read as number[]) : null;
}

/** The oldest toolkit with kernels for a card, by name: `CUDA 12.8`. Null where no source states one. */
export function toolkitText(gpu: GpuView): string | null {
  return gpu.min_toolkit === null ? null : `${gpu.backend === 'cuda' ? 'CUDA' : 'ROCm'} ${gpu.min_toolkit}`;
}

/** What a driver's version looks like, as `nvidia-smi` or `amd-smi` prints it: the version alone, no toolkit behind it. */
export function driverExample(backend: Backend): string {
  return backend === 'cuda' ? '570.124.06' : '6.12.12';
}
