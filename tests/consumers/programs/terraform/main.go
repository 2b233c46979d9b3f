// SPDX-License-Identifier: Apache-2.0

// Terraform's OpenStack provider, asked as Terraform asks it: it is configured,
// plans what was wanted of one stack, and applies its plan. A stack that is
// there already is imported first. Between the two is Terraform's protocol,
// without a socket.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/go-cty/cty/msgpack"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/terraform-provider-openstack/terraform-provider-openstack/v3/openstack"
)

const kind = "openstack_orchestration_stack_v1"

// block is what both the provider and a resource have a schema of.
type block interface {
	CoerceValue(cty.Value) (cty.Value, error)
	ImpliedType() cty.Type
}

type terraform struct {
	context.Context
	server *schema.GRPCProviderServer
	stack  block
}

func main() {
	log.SetOutput(io.Discard)
	status, err := operate(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(status)
}

func operate(operation, name, path, parameters string) (string, error) {
	terraform, err := configured(os.Getenv("OS_CLOUD"))
	if err != nil {
		return "", err
	}
	nothing := cty.NullVal(terraform.stack.ImpliedType())
	state, wanted := nothing, nothing
	var private []byte
	if operation != "create" {
		if state, private, err = terraform.imported(os.Getenv("STACK_ID")); err != nil {
			return "", err
		}
	}
	if operation != "delete" {
		if wanted, err = terraform.configuration(name, path, parameters); err != nil {
			return "", err
		}
	}
	state, err = terraform.applied(state, wanted, private)
	if err != nil || state.IsNull() {
		return "gone", err
	}
	return state.GetAttr("status").AsString(), nil
}

func configured(cloud string) (*terraform, error) {
	provider := openstack.Provider()
	own := schema.InternalMap(provider.Schema).CoreConfigSchema()
	found := &terraform{context.Background(), schema.NewGRPCProviderServer(provider),
		provider.ResourcesMap[kind].CoreConfigSchema()}
	config, err := own.CoerceValue(cty.ObjectVal(map[string]cty.Value{
		"cloud": cty.StringVal(cloud)}))
	if err != nil {
		return nil, err
	}
	answer, err := found.server.ConfigureProvider(found, &tfprotov5.ConfigureProviderRequest{
		TerraformVersion: "1.13.0", Config: packed(config, own)})
	if err != nil {
		return nil, err
	}
	return found, first(answer.Diagnostics)
}

func (t *terraform) configuration(name, path, given string) (cty.Value, error) {
	template, err := os.ReadFile(path)
	if err != nil {
		return cty.NilVal, err
	}
	values := map[string]any{}
	if err = json.Unmarshal([]byte(given), &values); err != nil {
		return cty.NilVal, err
	}
	parameters := map[string]cty.Value{}
	for key, value := range values {
		parameters[key] = cty.StringVal(fmt.Sprint(value))
	}
	return t.stack.CoerceValue(cty.ObjectVal(map[string]cty.Value{
		"name":       cty.StringVal(name),
		"parameters": cty.MapVal(parameters),
		"template_opts": cty.MapVal(map[string]cty.Value{
			"Bin": cty.StringVal(string(template))}),
		// As in the provider's own example; it takes no stack without one.
		"environment_opts": cty.MapVal(map[string]cty.Value{
			"Bin": cty.StringVal("\n")}),
	}))
}

func (t *terraform) imported(id string) (cty.Value, []byte, error) {
	found, err := t.server.ImportResourceState(t, &tfprotov5.ImportResourceStateRequest{
		TypeName: kind, ID: id})
	if err == nil {
		err = first(found.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, nil, err
	}
	one := found.ImportedResources[0]
	read, err := t.server.ReadResource(t, &tfprotov5.ReadResourceRequest{
		TypeName: kind, CurrentState: one.State, Private: one.Private})
	if err == nil {
		err = first(read.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, nil, err
	}
	return t.unpacked(read.NewState), read.Private, nil
}

func (t *terraform) applied(state, wanted cty.Value, private []byte) (cty.Value, error) {
	plan, err := t.server.PlanResourceChange(t, &tfprotov5.PlanResourceChangeRequest{
		TypeName: kind, PriorState: packed(state, t.stack), PriorPrivate: private,
		ProposedNewState: packed(proposed(state, wanted), t.stack),
		Config:           packed(wanted, t.stack)})
	if err == nil {
		err = first(plan.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	done, err := t.server.ApplyResourceChange(t, &tfprotov5.ApplyResourceChangeRequest{
		TypeName: kind, PriorState: packed(state, t.stack),
		PlannedState: plan.PlannedState, PlannedPrivate: plan.PlannedPrivate,
		Config: packed(wanted, t.stack)})
	if err == nil {
		err = first(done.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	return t.unpacked(done.NewState), nil
}

// proposed is what Terraform asks a plan for: what nobody configured stays.
func proposed(state, wanted cty.Value) cty.Value {
	if state.IsNull() || wanted.IsNull() {
		return wanted
	}
	values := wanted.AsValueMap()
	for name, value := range values {
		if value.IsNull() {
			values[name] = state.GetAttr(name)
		}
	}
	return cty.ObjectVal(values)
}

func packed(value cty.Value, of block) *tfprotov5.DynamicValue {
	found, err := msgpack.Marshal(value, of.ImpliedType())
	if err != nil {
		panic(err)
	}
	return &tfprotov5.DynamicValue{MsgPack: found}
}

func (t *terraform) unpacked(value *tfprotov5.DynamicValue) cty.Value {
	found, err := msgpack.Unmarshal(value.MsgPack, t.stack.ImpliedType())
	if err != nil {
		panic(err)
	}
	return found
}

func first(found []*tfprotov5.Diagnostic) error {
	for _, each := range found {
		if each.Severity == tfprotov5.DiagnosticSeverityError {
			return errors.New(each.Summary + " " + each.Detail)
		}
	}
	return nil
}
