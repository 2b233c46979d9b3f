// SPDX-License-Identifier: Apache-2.0

// Stacks by gophercloud: its own requests, and its WaitFor, which asks once a
// second. Which status is a failure is for its user to say.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/config"
	"github.com/gophercloud/gophercloud/v2/openstack/config/clouds"
	"github.com/gophercloud/gophercloud/v2/openstack/orchestration/v1/stacks"
)

func main() {
	status, err := operate(context.Background(), os.Args[1], os.Args[2],
		os.Args[3], os.Args[4])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(status)
}

func operate(ctx context.Context, operation, name, path, given string) (string, error) {
	heat, err := connect(ctx)
	if err != nil {
		return "", err
	}
	template := new(stacks.Template)
	if template.Bin, err = os.ReadFile(path); err != nil {
		return "", err
	}
	parameters := map[string]any{}
	if err = json.Unmarshal([]byte(given), &parameters); err != nil {
		return "", err
	}
	if operation == "create" {
		made, err := stacks.Create(ctx, heat, stacks.CreateOpts{
			Name: name, TemplateOpts: template, Parameters: parameters,
		}).Extract()
		if err != nil {
			return "", err
		}
		return wait(ctx, heat, name, made.ID, "CREATE")
	}
	found, err := stacks.Find(ctx, heat, name).Extract()
	if err != nil {
		return "", err
	}
	if operation == "delete" {
		if err = stacks.Delete(ctx, heat, name, found.ID).ExtractErr(); err != nil {
			return "", err
		}
		return wait(ctx, heat, name, found.ID, "DELETE")
	}
	if err = stacks.Update(ctx, heat, name, found.ID, stacks.UpdateOpts{
		TemplateOpts: template, Parameters: parameters,
	}).ExtractErr(); err != nil {
		return "", err
	}
	return wait(ctx, heat, name, found.ID, "UPDATE")
}

func connect(ctx context.Context) (*gophercloud.ServiceClient, error) {
	// It knows files of clouds by an option of its own.
	auth, endpoint, tls, err := clouds.Parse(clouds.WithLocations(
		os.Getenv("OS_CLIENT_CONFIG_FILE")))
	if err != nil {
		return nil, err
	}
	provider, err := config.NewProviderClient(ctx, auth, config.WithTLSConfig(tls))
	if err != nil {
		return nil, err
	}
	return openstack.NewOrchestrationV1(provider, endpoint)
}

func wait(ctx context.Context, heat *gophercloud.ServiceClient, name, id, action string) (string, error) {
	status := ""
	err := gophercloud.WaitFor(ctx, func(ctx context.Context) (bool, error) {
		stack, err := stacks.Get(ctx, heat, name, id).Extract()
		if action == "DELETE" && gophercloud.ResponseCodeIs(err, http.StatusNotFound) {
			status = "DELETE_COMPLETE"
			return true, nil
		}
		if err != nil {
			return false, err
		}
		status = stack.Status
		if strings.HasSuffix(status, "_FAILED") || status == "ROLLBACK_COMPLETE" {
			return false, fmt.Errorf("%s: %s", status, stack.StatusReason)
		}
		return status == action+"_COMPLETE", nil
	})
	return status, err
}
