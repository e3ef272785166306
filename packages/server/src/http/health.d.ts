import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
export type Health = {
    registry: Registry;
    /** Throws when something the service cannot do without does not answer. */
    checkReady(): Promise<void>;
    /** Whether the process was told to stop: then it is alive and not ready, and a balancer sends no calls to it. */
    isStopping(): boolean;
    /** If set, /metrics wants it as a bearer; without it, /metrics answers this machine alone. */
    metricsToken: string | undefined;
};
/** `/healthz`: the process answers. `/readyz`: it can work. `/metrics`: Prometheus' text format. */
export declare function mountHealth(app: FastifyInstance, { registry, checkReady, isStopping, metricsToken }: Health): void;
